/** A violation of the architecture rules. */
export interface Finding {
  file: string;
  line: number | null;
  message: string;
}
