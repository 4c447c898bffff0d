const WEI_DIGITS = 18;
const SHOWN_DIGITS = 6;

/** An amount of wei, a decimal number, in words: '1,234.5 ETH', cut after six digits. */
export function ether(wei: string): string {
  const digits = wei.padStart(WEI_DIGITS + 1, '0');
  const whole = digits.slice(0, -WEI_DIGITS).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(-WEI_DIGITS);
  const shown = fraction.slice(0, SHOWN_DIGITS).replace(/0+$/, '');
  // Something that is too little to be shown is not nothing.
  if (whole === '0' && shown === '' && /[1-9]/.test(fraction)) return 'less than 0.000001 ETH';
  return `${whole}${shown && `.${shown}`} ETH`;
}
