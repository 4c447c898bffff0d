/** JSON of a suggestion: label, detail and link. */
export interface SuggestionJson {
  label: string;
  detail: string;
  href: string;
}
