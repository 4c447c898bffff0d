const whole = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Formats integer cents as whole dollars, for cards and the property page: 59360000 is '$593,600'. */
export const wholeDollars = (cents: number): string => whole.format(cents / 100);

/** Formats integer cents exactly, for sales and receipts: 59360000 is '$593,600.00'. */
export const dollarsAndCents = (cents: number): string => exact.format(cents / 100);

/** Integer cents as a plain decimal, for files and interfaces: 59360000 is '593600.00'. */
export const decimalAmount = (cents: number): string => (cents / 100).toFixed(2);
