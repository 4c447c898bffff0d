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
