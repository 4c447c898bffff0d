import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

const parts = (address: string, city = '', state = '', zip = '') => ({ address, city, state, zip });

describe('parsing a one-line address', () => {
  for (const [typed, expected] of [
    ['27 Heron Way, Cedar Hollow, OR 97031', parts('27 Heron Way', 'Cedar Hollow', 'OR', '97031')],
    [
      '  27  Heron Way ,Cedar Hollow,or  97031-1234 ',
      parts('27 Heron Way', 'Cedar Hollow', 'OR', '97031-1234'),
    ],
    ['Unit 4, 27 Heron Way, Cedar Hollow, OR', parts('Unit 4, 27 Heron Way', 'Cedar Hollow', 'OR')],
    ['27 Heron Way, Cedar Hollow, OR 97031, USA', parts('27 Heron Way', 'Cedar Hollow', 'OR', '97031')],
    ['27 Heron Way, Cedar Hollow, OR, 97031', parts('27 Heron Way', 'Cedar Hollow', 'OR', '97031')],
    ['27 Heron Way', parts('27 Heron Way')],
    ['27 Heron Way, Cedar Hollow', parts('27 Heron Way, Cedar Hollow')],
    ['27 Heron Way, Toronto, ON 97031', parts('27 Heron Way, Toronto, ON 97031')],
    ['1 A, Cedar Hollow, OR 97031', parts('1 A, Cedar Hollow, OR 97031')],
  ] as const)
    it(typed, () => expect(parseAddress(typed)).toEqual(expected));

  it('round-trips', () => {
    for (const line of ['27 Heron Way, Cedar Hollow, OR 97031', '27 Heron Way', '9 Low Road, Bend, OR'])
      expect(formatAddress(parseAddress(line))).toBe(line);
  });
});
