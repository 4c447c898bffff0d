import type { PropertyKind } from '#illustrator/illustration-key.ts';

/** A conversation: the inquiry, then the messages of buyer (`b`) and seller (`s`). `{address}` is a placeholder. */
export interface Thread {
  kinds: readonly PropertyKind[];
  opening: string;
  turns: readonly (readonly ['b' | 's', string])[];
}

const HOMES: readonly PropertyKind[] = ['Single Family'];
const BUILDINGS: readonly PropertyKind[] = ['Multi-Family', 'Commercial'];
const LOTS: readonly PropertyKind[] = ['Vacant Lot'];
const ANY: readonly PropertyKind[] = ['Single Family', 'Multi-Family', 'Commercial', 'Vacant Lot'];

export const THREADS: readonly Thread[] = [
  {
    kinds: HOMES,
    opening:
      'Hello, we drove past {address} on Sunday and slowed down twice. Could we see it on Thursday after four?',
    turns: [
      [
        's',
        'Thursday at half past four works. Please use the side door, the front one sticks when it has rained.',
      ],
      ['b', 'We will be there. Is the basement finished or just painted?'],
      ['s', 'Finished at the front, painted at the back. You will see the line.'],
    ],
  },
  {
    kinds: HOMES,
    opening: 'How old is the roof, and is there a warranty that transfers?',
    turns: [
      [
        's',
        'The roof is from 2018 with a thirty-year shingle. The workmanship warranty transfers once, and I have the form.',
      ],
      ['b', 'That is good to hear. Could you send a photograph of the form?'],
    ],
  },
  {
    kinds: HOMES,
    opening: 'Is there a room that would take an upright piano without going up a stair?',
    turns: [
      ['s', 'Two of them. The front room has an inside wall of eleven feet, which is where I would put it.'],
      ['b', 'Then I would like to come and measure. Any evening this week suits me.'],
      ['s', 'Wednesday at six. Bring the piano’s depth; people forget the depth.'],
      ['b', 'Twenty-five inches. See you Wednesday.'],
    ],
  },
  {
    kinds: HOMES,
    opening: 'We have two dogs and one of them digs. Is the whole yard fenced, and how deep?',
    turns: [
      ['s', 'All four sides, with wire a foot below the grass. The last dog here tried for nine years.'],
    ],
  },
  {
    kinds: HOMES,
    opening:
      'What did heating cost last winter? We are coming from an apartment and have no idea what to expect.',
    turns: [
      ['s', 'About a hundred and sixty a month from December to February. I can send the bills.'],
      ['b', 'Please do. And thank you for answering so quickly.'],
      ['s', 'They are on their way. The January one has a note on it; we left a window open for a week.'],
    ],
  },
  {
    kinds: HOMES,
    opening:
      'Would the sellers consider leaving the dining table? It looks as though it was built in the room.',
    turns: [['s', 'It was, more or less. They will leave it.']],
  },
  { kinds: HOMES, opening: 'Is the school bus stop on this street, or down at the corner?', turns: [] },
  { kinds: HOMES, opening: 'Could you tell me which way the kitchen faces?', turns: [] },
  {
    kinds: BUILDINGS,
    opening: 'Please send the rent roll and the last two years of expenses for {address}.',
    turns: [
      ['s', 'Both are on their way. Expenses include the roof in one of the years; I have marked it.'],
      ['b', 'Received, thank you. Who pays for water?'],
      ['s', 'The building does. It has been flat for three years.'],
      ['b', 'Then we will make time to visit. Next Tuesday morning?'],
    ],
  },
  {
    kinds: BUILDINGS,
    opening: 'Is the ground floor free to change use, or is there a lease to honor?',
    turns: [
      ['s', 'There is a lease to the end of March with a month’s notice on either side. The tenant knows.'],
    ],
  },
  {
    kinds: BUILDINGS,
    opening: 'What is the clear height at the lowest beam, and can a box truck turn in the lane?',
    turns: [
      ['s', 'Eleven feet two at the beam. A sixteen-foot truck turns, a twenty-four does not.'],
      ['b', 'Sixteen is all we have. I will come by with the crew.'],
    ],
  },
  {
    kinds: BUILDINGS,
    opening: 'We are a bakery of six people. Is the gas line large enough for two deck ovens?',
    turns: [],
  },
  {
    kinds: LOTS,
    opening: 'Has anyone dug a test hole on {address}? We would want to build without blasting.',
    turns: [
      ['s', 'Two, last fall. Four feet of loam, then gravel. No ledge in either.'],
      ['b', 'Exactly what we hoped. Could we camp there one night before deciding?'],
      ['s', 'One night, one fire in the ring, and tell me the date so that I can tell the neighbor.'],
    ],
  },
  {
    kinds: LOTS,
    opening: 'Where does the driveway come in, and who plows the road above it?',
    turns: [
      ['s', 'At the white post. The town plows to the mailbox and the neighbor does the rest for firewood.'],
    ],
  },
  { kinds: LOTS, opening: 'Are manufactured homes allowed here?', turns: [] },
  {
    kinds: ANY,
    opening: 'Is the price firm? We are ready to go without an inspection clause if it helps.',
    turns: [
      ['s', 'It is firm until the end of the month. I would not skip the inspection, though.'],
      ['b', 'Fair. We will keep the clause and the price.'],
    ],
  },
  {
    kinds: ANY,
    opening: 'When could we close if we paid this week? Our lease here ends soon.',
    turns: [['s', 'The title company says twelve days. I would plan for fifteen.']],
  },
  {
    kinds: ANY,
    opening: 'Have there been any boundary questions with the neighbors?',
    turns: [
      ['s', 'One, in 1994, and it was settled with a recorded agreement. I will send the page.'],
      ['b', 'Thank you, that is more than most people would say.'],
      ['s', 'You would have found it anyway.'],
    ],
  },
];
