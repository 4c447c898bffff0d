import { queryString, segment } from './paths.ts';

/** The pages of imports, which sellers and administrators each have. */
export type ImportArea = 'agent' | 'admin';

/** The URLs of imports in one of the two areas. */
export const importPaths = (area: ImportArea) => ({
  list: (query: { page?: number | undefined } = {}): string => `/${area}/import${queryString(query)}`,
  /** `do` opens a dialog, `columns` the columns of a file that was checked */
  details: (id: string, query: { do?: string | undefined; columns?: 1 | undefined } = {}): string =>
    `/${area}/import/${segment(id)}${queryString(query)}`,
  /** upload endpoint of files */
  upload: () => `/${area}/uploads/import`,
  /** refused rows, and listings that undoing has spared, as files */
  refused: (id: string) => `/${area}/import-files/${segment(id)}/refused.csv`,
  spared: (id: string) => `/${area}/import-files/${segment(id)}/spared.csv`,
});
