/** The name that stands in the navigation, titles, mails and receipts until an administrator sets another (B-001). */
export const DEFAULT_BRAND = 'Acre Trading Post';
