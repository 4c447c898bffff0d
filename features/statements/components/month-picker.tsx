import { Form } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Button } from '#ui/button.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { monthName } from '../months.ts';

interface Props {
  month: string;
  months: readonly { month: string; closed: boolean; closingCents: number }[];
}

/** Chooses the month of the statement by a GET form: choosing one sends it, and without scripts its button does. */
export function MonthPicker({ month, months }: Props) {
  const listed = months.map(({ month: value, closed, closingCents }) => ({
    value,
    label: `${monthName(value)} · ${closed ? dollarsAndCents(closingCents) : 'still open'}`,
  }));
  const options = months.some((one) => one.month === month)
    ? listed
    : [{ value: month, label: monthName(month) }, ...listed];
  return (
    <Form
      key={month}
      action={sellerPaths.statements()}
      className="month-picker"
      preventScrollReset
      onChange={(event) => event.currentTarget.requestSubmit()}
    >
      <SelectControl name="month" aria-label="Month" options={options} defaultValue={month} />
      <Button type="submit" variant="outline">
        Show
      </Button>
    </Form>
  );
}
