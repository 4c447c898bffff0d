/**
 * The marketplace's name in the navigation, titles, mails and receipts until an administrator sets another. In a file of its own,
 * since every page loads it and none needs the schemas of the other settings.
 */
export const DEFAULT_BRAND = 'Acre Trading Post';
