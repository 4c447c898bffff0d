/** The marketplace's name in the navigation, titles, mails and receipts until an administrator sets another. */
export const DEFAULT_BRAND = 'Acre Trading Post';
