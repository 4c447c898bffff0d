import { anyone, hasRole, nobody, signedIn } from '#platform/access.ts';
import type { Role } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { type LoginQuery, paths } from '#routing/paths.ts';

/** The role that a sign-in page is for; the buyers' page accepts every role. */
export type LoginRole = Role;

/** Signing up, signing in, confirming an address and resetting a password need no session. */
export const mayAuthenticate = anyone;
export const mayManageOwnSessions = signedIn;
export const mayChangeOwnPassword = signedIn;
/** Name and address of sellers are public, and managed by administrators. */
export const mayChangeOwnIdentity = hasRole('buyer', 'admin');
/** Administrators are created by another administrator or from the command line. */
export const mayCreateAdmin = hasRole('admin');
/** Only the link; nobody sets another person's password. */
export const maySendPasswordReset = hasRole('admin');
export const mayRemoveAdmin = hasRole('admin');
export const mayListAdmins = hasRole('admin');
/** Seller accounts are opened only by the registration of an invited seller. */
export const mayOpenSellerAccount = nobody;

/** Why an account with this role may not sign in here, as shown after the right password; null if it may. */
export function loginRefusal(loginRole: LoginRole, role: Role): string | null {
  if (loginRole === 'agent' && role !== 'agent') return 'This account does not have seller access';
  if (loginRole === 'admin' && role !== 'admin') return 'Unauthorized: Admin access only';
  return null;
}

/** The path of the sign-in page of a role. */
export function loginPath(role: Role, query: LoginQuery = {}): string {
  if (role === 'admin') return paths.adminLogin(query);
  return role === 'agent' ? paths.sellerLogin(query) : paths.buyerLogin(query);
}

/** How a link of a password names the role whose sign-in page belongs to it; buyers, as most are, go without. */
export const linkRole = (role: Role): Role | undefined => (role === 'buyer' ? undefined : role);

/** Where signing in leads by default. */
export function homePath(loginRole: LoginRole): string {
  if (loginRole === 'admin') return paths.adminDashboard();
  return loginRole === 'agent' ? paths.sellerDashboard() : paths.home();
}

/** 'a seller' and the like, for sentences about who is signed in. */
export const roleLabels: Record<Role, string> = {
  buyer: 'a buyer',
  agent: 'a seller',
  admin: 'an administrator',
};

/** The notice on a buyers' page for someone who is signed in with another role. */
export const otherAccountNotice = (role: Role): string =>
  `You are signed in as ${roleLabels[role]} – sign out to use a buyer account`;

type PasswordStrength = 'weak' | 'medium' | 'strong';

/**
 * How strong a password is. Strong: at least 10 characters with upper case, lower case, digit and symbol. Medium: at
 * least 8 with an upper case letter, or with a lower case letter and a digit.
 */
export function passwordStrength(password: string): PasswordStrength {
  const upper = /\p{Lu}/u.test(password);
  const lower = /\p{Ll}/u.test(password);
  const digit = /\p{Nd}/u.test(password);
  const symbol = /[^\p{L}\p{N}\s]/u.test(password);
  const length = [...password].length;
  if (length >= 10 && upper && lower && digit && symbol) return 'strong';
  if (length >= 8 && (upper || (lower && digit))) return 'medium';
  return 'weak';
}

const DUMMY_ORIGIN = 'http://acre.invalid';

/**
 * The path to return to after signing in, or null unless it stays on this site: no scheme, host, backslash or control
 * character, even after the browser has normalised the dots. Prevents open redirects.
 */
export function safeNext(raw: string | null | undefined): string | null {
  if (!raw || raw.length > 2_000 || !raw.startsWith('/')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this rejects
  if (/[\u0000-\u0020\u007f\\]/.test(raw) || !URL.canParse(raw, DUMMY_ORIGIN)) return null;
  const url = new URL(raw, DUMMY_ORIGIN);
  if (url.origin !== DUMMY_ORIGIN || url.pathname.startsWith('//')) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

const intentKinds = ['watch', 'inquire', 'purchase'] as const;

/** The action that a visitor had to sign in for. */
interface Intent {
  kind: (typeof intentKinds)[number];
  propertyId: string;
}

const INTENT = /^(\w+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Reads `watch:<propertyId>`, `inquire:…` or `purchase:…`; null for anything else. */
export function parseIntent(raw: string | null | undefined): Intent | null {
  const [, named, propertyId] = INTENT.exec(raw ?? '') ?? [];
  const kind = intentKinds.find((known) => known === named);
  return kind && propertyId ? { kind, propertyId } : null;
}

/** The initial display name of an account opened with only an address: 'jane.doe+x@…' becomes 'Jane Doe'. */
export function nameFromEmail(email: string): string {
  const local = (email.split('@')[0] ?? '').replace(/\+.*$/, '');
  const words = local.split(/[._\-\d]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return cutText(name || local || 'Buyer', 120);
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
const matchingLabel = (kinds: [RegExp, string][], text: string) =>
  kinds.find(([pattern]) => pattern.test(text))?.[1];

/** A readable name for a session's device: 'Firefox on Windows', or 'Unknown device'. */
export function deviceName(userAgent: string | null): string {
  const browser = matchingLabel(BROWSERS, userAgent ?? '');
  const system = matchingLabel(SYSTEMS, userAgent ?? '');
  if (!browser) return system ?? 'Unknown device';
  return system ? `${browser} on ${system}` : browser;
}

/** The text of a toast. */
interface ToastMessage {
  title: string;
  text?: string;
}

/** The user-facing messages of the account pages. */
export const accountMessages = {
  loginFailed: 'Login failed',
  wrongCredentials: 'Invalid email or password',
  emailNotConfirmed: 'Email not confirmed',
  unexpected: 'An unexpected error occurred',
  signedUp: 'Please check your email to verify your account.',
  resetMailed: {
    title: 'Password reset email sent',
    text: 'Please check your email for the reset link',
  },
  adminResetMailed: {
    title: 'Password reset email sent',
    text: 'Please check your email for the reset link.',
  },
  welcomeAdmin: { title: 'Welcome back!', text: 'Successfully logged in as admin.' },
  resetTokenRefused: 'Failed to authenticate. Please request a new reset link.',
  resetTokenMissing: 'No valid reset token found. Please request a new reset link.',
  resetUnexpected: 'An unexpected error occurred. Please try again.',
  resetNotSaved: 'Error updating password',
  notAvailable: 'Not available for this account',
} as const satisfies Record<string, string | ToastMessage>;

export const resetMailedMessage = (loginRole: LoginRole): ToastMessage =>
  loginRole === 'admin' ? accountMessages.adminResetMailed : accountMessages.resetMailed;
/** The title of what fails on a sign-in page, by the form. */
export function signInFailedTitle(loginRole: LoginRole, intent: string): string {
  if (intent === 'resend') return 'Error';
  if (intent !== 'forgot') return accountMessages.loginFailed;
  // The admin area words the same failure differently.
  return loginRole === 'admin' ? 'Reset password failed' : 'Password reset failed';
}
