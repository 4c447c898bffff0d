import { expect, it } from 'vitest';
import { listingTransitions, partyOf } from './transitions.ts';

it('an event belongs to one party, whichever of its transitions applies', () => {
  for (const { event, by, from } of listingTransitions)
    expect(by, `${event} from ${from.join(', ')}`).toBe(partyOf(event));
});
