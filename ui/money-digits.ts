/** '615000' → '615,000', '1234.5' → '1,234.5'. Text that is not a plain decimal number is returned unchanged. */
export function groupDigits(text: string): string {
  const plain = ungroupDigits(text);
  const match = /^(-?)(\d+)(\.\d*)?$/.exec(plain);
  if (!match) return text;
  const [, sign = '', whole = '', rest = ''] = match;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest;
}

/** '$615,000 ' → '615000'. */
export const ungroupDigits = (text: string): string => text.replace(/[$,\s]/g, '');
