import { type DoorQuery, paths } from '#app/paths.ts';
import { anyone, hasRole, nobody, signedIn } from '#platform/access.ts';
import type { Role } from '#platform/context.ts';

/** The three sign-in pages; everyone may use the buyers' (B-089). */
export type Door = Role;

/** Signing up, signing in, confirming an address and setting a forgotten password need no account yet. */
export const mayUseDoors = anyone;
export const mayManageOwnSessions = signedIn;
export const mayChangeOwnPassword = signedIn;
/** An administrator is made by another one or by the command line (B-013, B-167). */
export const mayCreateAdmin = hasRole('admin');
/** Only the registration of an invited seller opens a seller's account (B-013). */
export const mayOpenSellerAccount = nobody;

/** Why a correct password does not open this door, word for word (S0 §6, S1 §5); null when it does. */
export function doorRefusal(door: Door, role: Role): string | null {
  if (door === 'agent' && role !== 'agent') return 'This account does not have seller access';
  if (door === 'admin' && role !== 'admin') return 'Unauthorized: Admin access only';
  return null;
}

/** The sign-in page of a role (B-008). */
export function loginPath(role: Role, query: DoorQuery = {}): string {
  if (role === 'admin') return paths.adminLogin(query);
  return role === 'agent' ? paths.agentLogin(query) : paths.buyerLogin(query);
}

/** Where signing in leads when nothing else was wanted (S0 §2, S1 §2). */
export function homeOf(door: Door): string {
  if (door === 'admin') return paths.adminDashboard();
  return door === 'agent' ? paths.agentDashboard() : paths.home();
}

/** 'a seller' and the like, for sentences about who is signed in. */
export const roleWords: Record<Role, string> = {
  buyer: 'a buyer',
  agent: 'a seller',
  admin: 'an administrator',
};

/** The notice on a buyers' page for someone who is signed in with another role (B-012). */
export const otherAccountNotice = (role: Role): string =>
  `You are signed in as ${roleWords[role]} – sign out to use a buyer account`;

export type Strength = 'weak' | 'medium' | 'strong';

/**
 * How strong a password is, judged strong, then medium, then weak (S0 §4, B-093): strong from 10 characters with upper,
 * lower, digit and symbol; medium from 8 with an upper case letter, or with a lower case letter and a digit.
 */
export function passwordStrength(password: string): Strength {
  const upper = /\p{Lu}/u.test(password);
  const lower = /\p{Ll}/u.test(password);
  const digit = /\p{Nd}/u.test(password);
  const symbol = /[^\p{L}\p{N}\s]/u.test(password);
  const length = [...password].length;
  if (length >= 10 && upper && lower && digit && symbol) return 'strong';
  if (length >= 8 && (upper || (lower && digit))) return 'medium';
  return 'weak';
}

const ELSEWHERE = 'http://acre.invalid';

/**
 * The path to return to after signing in, or null when it is not one of this site: no scheme, no host, no backslash, no
 * control character, also after the browser's own tidying of dots (B-026).
 */
export function safeNext(raw: string | null | undefined): string | null {
  if (!raw || raw.length > 2_000 || !raw.startsWith('/')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
  if (/[\u0000-\u0020\u007f\\]/.test(raw) || !URL.canParse(raw, ELSEWHERE)) return null;
  const url = new URL(raw, ELSEWHERE);
  if (url.origin !== ELSEWHERE || url.pathname.startsWith('//')) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** What someone was about to do when they had to sign in first. */
export interface Intent {
  kind: 'watch' | 'inquire' | 'purchase';
  propertyId: string;
}

const INTENT = /^(watch|inquire|purchase):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Reads `watch:<propertyId>`, `inquire:…` or `purchase:…`; anything else is no intent (B-026). */
export function parseIntent(raw: string | null | undefined): Intent | null {
  const [, kind, propertyId] = INTENT.exec(raw ?? '') ?? [];
  return kind && propertyId ? { kind: kind as Intent['kind'], propertyId } : null;
}

/** A first name to show for an account that was opened with an address alone: 'jane.doe+x@…' becomes 'Jane Doe'. */
export function nameFromEmail(email: string): string {
  const local = (email.split('@')[0] ?? '').replace(/\+.*$/, '');
  const words = local.split(/[._\-\d]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return (name || local || 'Buyer').slice(0, 120);
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
const named = (kinds: [RegExp, string][], text: string) => kinds.find(([pattern]) => pattern.test(text))?.[1];

/** A session's device in words: 'Firefox on Windows', or 'Unknown device'. */
export function deviceName(userAgent: string | null): string {
  const browser = named(BROWSERS, userAgent ?? '');
  const system = named(SYSTEMS, userAgent ?? '');
  if (!browser) return system ?? 'Unknown device';
  return system ? `${browser} on ${system}` : browser;
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** A toast, as pages show it. */
interface Words {
  title: string;
  text?: string;
}

/** The fixed texts of the account pages, word for word (S0 §2, §5, §8; S1 §2, §8). */
export const texts = {
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
} as const satisfies Record<string, string | Words>;

export const resetMailedWords = (door: Door): Words =>
  door === 'admin' ? texts.adminResetMailed : texts.resetMailed;
/** The two areas word the same failure differently (S0 §8, S1 §8). */
export const resetFailedTitle = (door: Door): string =>
  door === 'admin' ? 'Reset password failed' : 'Password reset failed';
