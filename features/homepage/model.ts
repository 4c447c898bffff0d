import type { ListingPicture } from '#features/listings/model.ts';

/** The hero of the home page, as saved in the homepage editor. */
export interface HomepageContent {
  title: string;
  subtitle: string;
  /** null: the built-in panorama */
  image: ListingPicture | null;
}

export const defaultHomepage: HomepageContent = {
  title: 'Good ground, fairly traded.',
  subtitle:
    'Houses, lots and working buildings from the people who own them. The price you see already includes every buyer fee.',
  image: null,
};

/** The hero as its editor loads it. */
export interface SavedHomepage {
  content: HomepageContent;
  /** names this state; null while nothing has been saved */
  version: string | null;
  /** who saved it, while the account exists */
  changedBy: string | null;
  /** ISO, UTC */
  changedAt: string | null;
}

/** Response of the upload endpoint: the stored picture, or an error message for the user. */
export type HeroImageResponse = { image: ListingPicture } | { error: string };
