import { checkBlock, checkStatement } from '#features/verification/display.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { PdfContent, PdfFact } from '#platform/pdf/content.ts';
import { formatTime } from '#ui/format-time.ts';
import { totalsOf } from './lines.ts';
import type { BalancedLine, Statement } from './model.ts';
import { monthEnd, monthName, monthStart } from './months.ts';

/** A statement as a document; times are UTC. The same statement is the same document. */
export function statementPdf(statement: Statement): PdfContent {
  const { month, closed, check, lines, brand, closingCents } = statement;
  return {
    title: `Statement ${monthName(month)}`,
    issuer: brand,
    createdAt: closed ? monthEnd(month) : new Date(lines.at(-1)?.at ?? monthStart(month)),
    blocks: [
      { kind: 'heading', level: 1, text: 'Statement', note: monthName(month) },
      ...(closed
        ? []
        : [
            {
              kind: 'paragraph' as const,
              tone: 'notice' as const,
              text: 'This month is still open. Its figures can change until it is closed.',
            },
          ]),
      { kind: 'facts', facts: facts(statement) },
      { kind: 'heading', level: 2, text: 'Everything in this month' },
      ...(lines.length === 0
        ? [{ kind: 'paragraph' as const, text: 'There were no sales and no payouts.' }]
        : [
            {
              kind: 'table' as const,
              columns: [
                { header: 'Date (UTC)', share: 2 },
                { header: 'Description', share: 6 },
                { header: 'Amount', share: 2.4, right: true },
                { header: 'Balance', share: 2.4, right: true },
              ],
              rows: lines.map((line) => [
                formatTime(line.at, 'date', 'UTC'),
                description(line),
                dollarsAndCents(line.cents),
                dollarsAndCents(line.balanceCents),
              ]),
              total: ['Closing balance', '', '', dollarsAndCents(closingCents)],
            },
          ]),
      ...(check ? [checkBlock(checkStatement, check.url)] : []),
    ],
  };
}

/** 'Payout, 48 Larkspur Lane, reference po_1, expected Nov 3, 2026'. */
const description = ({ text, address, reference, expectedAt, paidAt }: BalancedLine): string =>
  [
    text,
    address,
    ...(reference ? [`reference ${reference}`] : []),
    ...(paidAt ? [`paid ${formatTime(paidAt, 'date', 'UTC')}`] : []),
    ...(expectedAt ? [`expected ${formatTime(expectedAt, 'date', 'UTC')}`] : []),
  ].join(', ');

function facts(statement: Statement): PdfFact[] {
  const { earnedCents, feesCents, takenBackCents, paidOutCents } = totalsOf(statement.lines);
  const amount = (label: string, cents: number) => ({ label, lines: [dollarsAndCents(cents)] });
  return [
    ...(statement.check ? [{ label: 'Number', lines: [statement.check.number] }] : []),
    { label: 'Seller', lines: [statement.sellerName] },
    { label: 'Month', lines: [`${monthName(statement.month)}, by UTC`] },
    amount('Opening balance', statement.openingCents),
    amount('Your share of sales', earnedCents),
    amount('Fees', feesCents),
    amount('Refunds and claw-backs', takenBackCents),
    amount('Payouts', paidOutCents),
    amount('Closing balance', statement.closingCents),
  ];
}
