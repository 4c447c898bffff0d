/** JSON of a suggestion: label, detail and link. */
export interface SuggestionJson {
  label: string;
  detail: string;
  href: string;
  /** what the browser does instead of following the link */
  choose?: () => void;
}
