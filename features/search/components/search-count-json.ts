/** JSON of the number of matches; with `capped` there are more. */
export interface SearchCountJson {
  total: number;
  capped: boolean;
}
