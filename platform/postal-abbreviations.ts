const ABBREVIATIONS = `
alley aly allee ally|annex anx annx|arcade arc|avenue ave av aven avenu avn avnue|bayou byu bayoo|beach bch|bend bnd|bluff blf bluf|bluffs blfs
bottom btm bot bottm|boulevard blvd boul boulv|branch br brnch|bridge brg brdge|brook brk|brooks brks|burg bg|bypass byp bypa bypas byps|camp cp cmp|canyon cyn canyn cnyn|cape cpe
causeway cswy causwa|center ctr cen cent centr centre cnter cntr|centers ctrs|circle cir circ circl crcl crcle|circles cirs|cliff clf|cliffs clfs|club clb|common cmn|commons cmns|corner cor
corners cors|course crse|court ct crt|courts cts|cove cv|coves cvs|creek crk|crescent cres crsent crsnt|crest crst|crossing xing crssng|crossroad xrd|crossroads xrds|curve curv|dale dl|dam dm
divide dv div dvd|drive dr driv drv|drives drs|estate est|estates ests|expressway expy exp expr express expw|extension ext extn extnsn|extensions exts|falls fls|ferry fry frry|field fld
fields flds|flat flt|flats flts|ford frd|fords frds|forest frst|forge frg forg|forges frgs|fork frk|forks frks|freeway fwy freewy frway frwy|garden gdn gardn grden grdn
gardens gdns grdns|gateway gtwy gatewy gatway gtway|glen gln|glens glns|green grn|greens grns|grove grv grov|groves grvs|harbor hbr harb harbr hrbor harbour|harbors hbrs|haven hvn|heights hts ht
highway hwy highwy hiway hiwy hway|hill hl|hills hls|hollow holw hllw holws|inlet inlt|island is islnd|islands iss islnds|junction jct jction jctn junctn juncton|junctions jcts jctns|key ky|keys kys
knoll knl knol|knolls knls|lake lk|lakes lks|landing lndg lndng|lane ln|light lgt|lights lgts|loaf lf|lock lck|locks lcks|lodge ldg ldge lodg|manor mnr|manors mnrs|meadow mdw
meadows mdws medows|mill ml|mills mls|mission msn missn mssn|motorway mtwy|mountain mtn mntain mntn mountin mtin|mountains mtns mntns|neck nck|orchard orch orchrd|oval ovl|overpass opas
park prk|parkway pkwy parkwy pkway pky|parkways pkwys|passage psge|pine pne|pines pnes|place pl|plain pln|plains plns|plaza plz plza|point pt|points pts|port prt|ports prts|prairie pr prr
radial radl rad radiel|ranch rnch rnchs|rapid rpd|rapids rpds|rest rst|ridge rdg rdge|ridges rdgs|river riv rvr rivr|road rd|roads rds|route rte|shoal shl|shoals shls|shore shr shoar|shores shrs shoars
skyway skwy|spring spg spng sprng|springs spgs spngs sprngs|square sq sqr sqre squ|squares sqs sqrs|station sta statn stn|stravenue stra strav straven stravn strvn strvnue|stream strm streme|street st str strt
streets sts|summit smt sumit sumitt|terrace ter terr|throughway trwy|trace trce|track trak trk|trafficway trfy|trail trl|trailer trlr|tunnel tunl|turnpike tpke trnpk turnpk|underpass upas|union un
valley vly vally vlly|valleys vlys|viaduct vdct viadct|view vw|views vws|village vlg vill villag villg|villages vlgs|ville vl|vista vis vist vst vsta|way wy|well wl|wells wls
building bldg|floor fl|room rm|lot lt|county co|saint st|fort ft frt|mount mt mnt`;

/**
 * Each: a word of addresses in full, its usual abbreviation, and others that are met (USPS Publication 28, appendices B and C). The index of
 * the search was filled by this list (migration 0074): another one takes a migration that fills it anew.
 */
export const abbreviationGroups: readonly (readonly string[])[] = ABBREVIATIONS.trim()
  .split(/[|\n]/)
  .map((group) => group.trim().split(' '));
