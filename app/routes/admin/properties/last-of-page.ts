/** In place of a listing's id in the URL of the review desk: the last one of the page. */
export const LAST_OF_PAGE = 'last';
