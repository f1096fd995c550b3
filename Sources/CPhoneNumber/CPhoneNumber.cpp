#include "CPhoneNumber.h"

#include <phonenumbers/phonenumberutil.h>

#include <cstring>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

extern "C" long sx_phone_international(const char *number, const char *region, char *result, size_t capacity) {
    try {
        const PhoneNumberUtil *util = PhoneNumberUtil::GetInstance();
        PhoneNumber parsed;
        const std::string country = *region ? region : "ZZ";
        if (util->Parse(number, country, &parsed) != PhoneNumberUtil::NO_PARSING_ERROR) return -1;
        if (!util->IsValidNumber(parsed)) return -1;
        std::string written;
        util->Format(parsed, PhoneNumberUtil::INTERNATIONAL, &written);
        if (written.empty() || written.size() + 1 > capacity) return -1;
        std::memcpy(result, written.c_str(), written.size() + 1);
        return static_cast<long>(written.size());
    } catch (...) {
        return -1;
    }
}
