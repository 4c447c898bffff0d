import frauncesUrl from '@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2?url';
import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** The addresses of the two font files that every page needs. */
export const fontFiles: readonly string[] = [interUrl, frauncesUrl];
