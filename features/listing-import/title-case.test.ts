import { expect, it } from 'vitest';
import { toTitleCase } from './title-case.ts';

it.each([
  ['17 FARAWAY LN', '17 Faraway Ln'],
  ['0 N MAIN ST', '0 N Main St'],
  ['N MAIN', 'N Main'],
  ['0 NH ROUTE 4A', '0 NH Route 4A'],
  ['12 US 1', '12 US 1'],
  ['4 ELM CT', '4 Elm Ct'],
  ['2-3-4 BUTTERNUT LA', '2-3-4 Butternut La'],
  ['8 1ST AVE', '8 1st Ave'],
  ['8 142ND ST', '8 142nd St'],
  ['54 AIRPORT RD #B2 U1', '54 Airport Rd #B2 U1'],
  ['171A MASCOMA ST', '171A Mascoma St'],
  ['60-1/2 YOUNG ST', '60-1/2 Young St'],
  ['54 + 56 ETNA RD', '54 + 56 Etna Rd'],
  ["3 O'NEIL RD", "3 O'Neil Rd"],
  ["3 KING'S WAY", "3 King's Way"],
  ['5 MCDONALD ST', '5 McDonald St'],
  ['5 MACK AVE', '5 Mack Ave'],
  ['9 SMITH-JONES PL', '9 Smith-Jones Pl'],
  ['1 AVE OF THE AMERICAS', '1 Ave of the Americas'],
  ['THE OAKS', 'The Oaks'],
  ['7 RUE DE L’ÉGLISE', '7 Rue De L’Église'],
  ['PARK PHASE II', 'Park Phase II'],
  ['PO BOX 12', 'PO Box 12'],
  ['WEST LEBANON', 'West Lebanon'],
])('%s becomes %s', (given, readable) => expect(toTitleCase(given)).toBe(readable));

it.each(['17 Faraway Ln', '17 faraway ln', 'deKalb AVE', '12345', '', 'A 1', '17 McDONALD St'])(
  '%s stays as it is',
  (text) => expect(toTitleCase(text)).toBe(text),
);
