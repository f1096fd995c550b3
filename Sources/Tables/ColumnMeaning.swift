import Foundation

/// What a column of a table holds, as far as finding a place needs it.
public enum ColumnMeaning: String, Sendable, CaseIterable {
    /// A whole address in one text.
    case address
    case name, street, number, postcode, city, county, state, country
    case latitude, longitude
    /// Latitude and longitude in one text.
    case position

    /// What a column of that name holds; nil where the name does not tell.
    ///
    /// Case, accents, blanks and signs do not matter, nor a word for "address" before (`addr:street`), nor a 1 behind.
    public init?(columnName: String) {
        var key = Self.key(columnName)
        if let known = Self.words[key] {
            self = known
            return
        }
        if key.hasSuffix("1") { key.removeLast() }
        for prefix in ["", "contact", "addr", "address", "adresse", "adr"] where key.hasPrefix(prefix) {
            if let known = Self.words[String(key.dropFirst(prefix.count))] {
                self = known
                return
            }
        }
        return nil
    }

    /// Letters and digits alone, small and without accents.
    public static func key(_ name: String) -> String {
        let folded = name.replacingOccurrences(of: "ß", with: "ss")
            .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return String(
            String.UnicodeScalarView(folded.unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) }))
    }

    private static let words: [String: ColumnMeaning] = {
        var words: [String: ColumnMeaning] = [:]
        for (meaning, list) in lists {
            for word in list.split(separator: ",") { words[key(String(word))] = meaning }
        }
        return words
    }()

    /// In English, German, French, Italian, Spanish, Portuguese, Dutch, Danish, Swedish, Norwegian, Finnish, Polish, Czech,
    /// Hungarian, Russian, Ukrainian, Japanese and Chinese, with what programs call them.
    private static let lists: [(ColumnMeaning, String)] = [
        (
            .address,
            """
            address,full address,addr,address line,postal address,mailing address,location address,query,q,search,adresse,anschrift,\
            postanschrift,vollständige adresse,adr,adresse complète,adresse postale,indirizzo,indirizzo completo,dirección,\
            dirección completa,domicilio,endereço,endereço completo,morada,adres,volledig adres,adress,fullständig adress,osoite,\
            koko osoite,adresa,cím,teljes cím,адрес,полный адрес,адреса,住所,所在地,地址,formatted address,display name
            """
        ),
        (
            .name,
            """
            name,title,place,place name,site,site name,business name,company,store,poi,bezeichnung,firma,ort name,standort,titel,\
            nom,lieu,raison sociale,entreprise,nome,ragione sociale,luogo,nombre,lugar,empresa,local,naam,bedrijf,navn,namn,\
            företag,nimi,paikka,yritys,nazwa,miejsce,název,název místa,jméno,név,megnevezés,название,имя,наименование,назва,名前,名称,施設名
            """
        ),
        (
            .street,
            """
            street,street name,street address,road,thoroughfare,strasse,straße,str,strassenname,straßenname,strasse und hausnummer,\
            rue,voie,nom voie,nom de rue,libellé voie,via,strada,calle,vía,nombre vía,rua,logradouro,straat,straatnaam,vej,vejnavn,\
            gade,gata,gatuadress,gatunamn,gate,gateadresse,veg,vei,katu,kadunnimi,katuosoite,ulica,ul,ulice,utca,közterület,улица,\
            вулиця,通り,街道,lieferstrasse
            """
        ),
        (
            .number,
            """
            number,no,nr,house number,housenumber,house no,street number,building number,num,hausnummer,haus nr,hausnr,hnr,numéro,\
            numéro voie,n°,no voie,numero,numero civico,civico,número,número portal,núm,huisnummer,huisnr,husnummer,husnr,\
            gatunummer,talonumero,numer,nr domu,numer domu,číslo,číslo domovní,číslo popisné,čp,házszám,дом,номер дома,\
            будинок,номер будинку,番地,门牌号
            """
        ),
        (
            .postcode,
            """
            postcode,post code,zip,zip code,postal code,zipcode,plz,postleitzahl,code postal,cp,npa,cap,codice postale,código postal,\
            cep,codpostal,postnummer,postnr,postinumero,kod pocztowy,psč,irányítószám,irsz,почтовый индекс,индекс,\
            поштовий індекс,郵便番号,邮编,邮政编码
            """
        ),
        (
            .city,
            """
            city,town,village,locality,municipality,post town,place city,ort,stadt,gemeinde,ortschaft,wohnort,ortsname,ville,commune,\
            localité,nom commune,città,comune,località,ciudad,municipio,localidad,población,cidade,município,localidade,plaats,\
            woonplaats,stad,gemeente,by,poststed,kommune,postort,tätort,ort,kommun,kaupunki,kunta,postitoimipaikka,miasto,\
            miejscowość,gmina,město,obec,város,település,helység,город,населенный пункт,місто,населений пункт,市区町村,市,城市
            """
        ),
        (
            .county,
            """
            county,district,kreis,landkreis,bezirk,département,departement,provincia,provincie,distrito,powiat,okres,megye,район
            """
        ),
        (
            .state,
            """
            state,province,region,canton,federal state,bundesland,kanton,land kanton,région,regione,comunidad autónoma,estado,uf,\
            provins,län,fylke,maakunta,województwo,kraj,область,регион,регіон,都道府県,省
            """
        ),
        (
            .country,
            """
            country,country code,country name,nation,iso country,land,staat,ländercode,landcode,pays,code pays,paese,nazione,stato,\
            país,lands,maa,państwo,kraj nazwa,země,stát,ország,страна,країна,国,国家
            """
        ),
        (
            .latitude,
            """
            latitude,lat,y,ycoord,lat wgs84,geo lat,point lat,breite,breitengrad,geographische breite,latitudine,latitud,breedtegraad,\
            breddegrad,bredd,latituud,leveysaste,szerokość,szerokość geograficzna,zeměpisná šířka,szélesség,широта,緯度,纬度
            """
        ),
        (
            .longitude,
            """
            longitude,lon,lng,long,x,xcoord,lon wgs84,geo lon,geo lng,point lon,länge,längengrad,geographische länge,longitudine,\
            longitud,lengtegraad,længdegrad,lengdegrad,längd,pituusaste,długość,długość geograficzna,zeměpisná délka,hosszúság,\
            долгота,довгота,経度,经度
            """
        ),
        (
            .position,
            """
            position,coordinates,coordinate,coords,latlon,latlng,lat lon,lat lng,geo,geopoint,geo point,geo point 2d,gps,koordinaten,\
            koordinate,coordonnées,coordinate gps,coordenadas,coördinaten,koordinater,koordinaatit,współrzędne,souřadnice,\
            koordináták,координаты,координати,座標,坐标
            """
        ),
    ]
}
