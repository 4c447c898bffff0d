/**
 * The photos that a form of a new property shows, by its fields `photo`; null for a form that does not say, to which all photos of
 * its draft belong.
 */
export const shownPhotos = (form: FormData): string[] | null =>
  form.has('photosShown') ? form.getAll('photo').map(String) : null;
