import { dictionary } from '@zxcvbn-ts/language-common';

/** What the dictionary leaves out, since its library finds keys in a row and words with a year by rules of its own. */
const OTHERS = `
01234567 012345678 0123456789 0987654321 09876543 23456789 258456258 87654321 98765432 987654321 9876543210 abcdefgh
abcdefghi abcdefghij changeme123 demo1234 facebook1 guest123 horizons
iceman12 letmein! letmein12 lkjhgfdsa login123 olivia12 p@$$w0rd p@ss1234 p@ssw0rd1 p@ssw0rd! p@ssw0rd123 p@ssword
pa$$word pass12345 passw0rd! passwd12 password. password1! password123! password12345 qwe12345 qwertyqwerty summer123
summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 superuser test12345 test123456 thebest1
welcome! welcome1234 willow12 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 zxcvbnm,
`;

const known = new Set([...dictionary['passwords-common'], ...OTHERS.trim().split(/\s+/)]);

/** Words of the site and its trade, of which nothing but digits and signs may be left in a password. */
const OWN_WORDS =
  /^(?:acre|trading|post|real|estate|realty|realtor|property|properties|listing|listings|house|home|seller|buyer|agent|admin|administrator|escrow)+$/;

/**
 * Whether a password is among the first that anyone would try: one of the tens of thousands that breaches show most often, a
 * repetition, or the site's, the trade's or the account's own name with digits and signs. Case and surrounding blanks do not matter.
 * @param account whose password it is, by address and name as far as they are known
 */
export function isCommonPassword(password: string, account: { email?: string; name?: string } = {}): boolean {
  const plain = password.trim().toLowerCase();
  if (known.has(plain) || /^(.{1,4})\1+.?$/u.test(plain)) return true;
  const letters = lettersOf(plain);
  if (OWN_WORDS.test(letters)) return true;
  const { email = '', name = '' } = account;
  return [email.split('@')[0] ?? '', email, name].some((own) => letters !== '' && letters === lettersOf(own));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/\P{L}/gu, '');
