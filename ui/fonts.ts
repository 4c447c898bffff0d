import frauncesUrl from '@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2?url';
import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** The two font files every page needs, for `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous">`. */
export const fontPreloads: readonly string[] = [interUrl, frauncesUrl];
