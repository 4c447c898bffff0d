import { expect, it } from 'vitest';
import { durationWords, messageTime, responseText, senderLabel } from './display.ts';

it('a duration is named in its largest whole unit', () => {
  expect([0, 59, 60, 119, 3_599, 3_600, 7_200, 86_399, 86_400, 900 * 86_400].map(durationWords)).toEqual([
    'less than a minute',
    'less than a minute',
    '1 minute',
    '1 minute',
    '59 minutes',
    '1 hour',
    '2 hours',
    '23 hours',
    '1 day',
    '900 days',
  ]);
});

it('the response time says how long it took, that there is none, or that it is unknown', () => {
  expect(responseText(7_300)).toBe('Responded in 2 hours');
  expect(responseText(null)).toBe('No response yet');
  expect(responseText('error')).toBe('Error calculating response time');
});

it('a message is labeled by who wrote it', () => {
  expect(senderLabel('buyer', 'Nora Lindqvist')).toBe('Buyer');
  expect(senderLabel('seller', 'Nora Lindqvist')).toBe('Nora Lindqvist');
  expect(senderLabel('seller', '')).toBe('Agent');
  expect(senderLabel('unknown', 'Nora Lindqvist')).toBe('Unknown');
});

it('a moment reads like in the product', () => {
  expect(messageTime('2025-01-05T15:04:00.000Z', 'UTC')).toBe('Jan 5, 2025 3:04 PM');
});
