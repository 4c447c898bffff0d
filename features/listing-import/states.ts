const NAMES = `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida
GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan
MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York
NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota
TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming`;

const codes = new Map(
  NAMES.split(/[|\n]/).flatMap((state) => {
    const code = state.slice(0, 2);
    return [
      [code.toLowerCase(), code],
      [state.slice(3).toLowerCase(), code],
    ] as const;
  }),
);

/** The two letters of a state of the United States, by them or its name in any capitals; null for anything else. */
export const stateCode = (name: string): string | null =>
  codes.get(name.toLowerCase().replaceAll('.', '').replace(/ +/g, ' ').trim()) ?? null;
