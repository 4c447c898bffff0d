import { signedIn } from '#platform/access.ts';
import type { SendFileRefusal } from './model.ts';

/** Whoever takes part in a conversation sends and reads its files; administrators read those of reported ones. */
export const mayUseFiles = signedIn;

export const fileRefusals: Record<SendFileRefusal, string> = {
  none: 'Please choose a photo or a PDF file.',
  too_large: 'Please choose a file of at most 15 MB.',
  format: 'Please choose a photo (JPEG, PNG, WebP or HEIC) or a PDF file.',
  infected: 'The virus scanner refused this file.',
  unscanned: 'The virus scanner is not responding. Please try again.',
  damaged: 'This photo could not be read. Please choose another one.',
};
