import { anyone, hasRole, nobody } from '#platform/access.ts';
import { MAX_TEST_BYTES } from './model.ts';

/** Administrators see what is published, try the store, and have failed documents tried again. */
export const mayManageContent = hasRole('admin');
/** Publishing follows from what is public, and is done by jobs only. */
export const mayPublishContent = nobody;
/** What is published is for everyone. */
export const mayReadPublished = anyone;

/** What is said about the store of public content. */
export const contentMessages = {
  notConfigured: 'No store for public documents is configured.',
  testsOff: 'Test documents are switched off on this server.',
  testsOnMain: (network: string) =>
    `Test documents are published next to test networks only. This server writes to ${network}.`,
  testTooLarge: `This file is too large: a test document can have at most ${MAX_TEST_BYTES / 1024 / 1024} MB.`,
  failed: 'That could not be done. Please try again.',
  retried: 'Trying again',
  nothingFailed: 'This document has not failed.',
  roundTripPassed: 'Round trip passed',
  testAdded: 'Test document published',
  testRemoved: 'Test document removed',
  gatewaySaved: 'Settings updated successfully',
  gatewayFailed: 'Failed to update settings',
  gatewayNewer: 'This record was changed by someone else',
  gatewayInvalid: 'Please enter an address with {cid} in it, such as https://ipfs.io/ipfs/{cid}',
} as const;

/** Why a document is not published. */
export const pinReasons = {
  gone: 'No public document has this content.',
  missing: 'The file is missing from the file store.',
  changed: 'The file is not the one that was registered: its hash differs.',
  profile: (profile: string) =>
    `The address was computed with the profile ${profile}, which CONTENT_PROFILE no longer names.`,
  mismatch: (cid: string) => `The store gave the file another address: ${cid}.`,
  mismatchOf: (profile: string) =>
    `The store gave the file another address, that of the profile ${profile}: set CONTENT_PROFILE to it.`,
  store: (words: string) => `The store refused: ${words}`,
  silent: 'The store is not responding.',
  files: 'The file could not be read.',
} as const;
