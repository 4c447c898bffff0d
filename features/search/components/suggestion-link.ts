/** A suggestion as the browser receives it: what it reads, what it is, where it leads. */
export interface SuggestionLink {
  label: string;
  detail: string;
  href: string;
}
