import { anyone } from '#platform/access.ts';

/** The key says what may be read, the session says nothing: `Resource.visible` decides row by row. */
export const mayReadByKey = anyone;
