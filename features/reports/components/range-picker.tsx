import { CalendarDays } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { Form, Link, useNavigate } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { menuPanel } from '#ui/menu-handlers.ts';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useTimeZone } from '#ui/time-zone.tsx';
import { daysInWords, keepParam, presetsOf, type ReportView, viewParams } from '../range.ts';

/** The button with the days of the report, and its panel to choose others: usual ranges, or a first and a last day. */
export function RangePicker({ view, today }: { view: ReportView; today: string }) {
  const id = useId();
  const { from, to } = view.query;
  return (
    <>
      <button
        type="button"
        className="btn btn-outline range-button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-label={`Date range: ${daysInWords(view.query)}`}
      >
        <Icon of={CalendarDays} />
        {daysInWords(view.query)}
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Date range"
        className="menu menu-end range-picker"
        onToggle={menuPanel.onToggle}
      >
        <ul>
          {presetsOf(today).map((preset) => (
            <li key={preset.label}>
              <Link
                to={adminPaths.reports(viewParams(view, { from: preset.from, to: preset.to }))}
                aria-current={preset.from === from && preset.to === to}
                preventScrollReset
                onClick={closePanel}
              >
                {preset.label}
              </Link>
            </li>
          ))}
        </ul>
        <RangeForm key={`${from} ${to} ${view.query.zone}`} view={view} />
      </div>
    </>
  );
}

const closePanel = ({ currentTarget }: { currentTarget: HTMLElement }) =>
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();

/** A GET form, which works without scripts; with them, the URL holds only what was chosen. */
function RangeForm({ view }: { view: ReportView }) {
  const navigate = useNavigate();
  const { from, to, zone, grouping } = view.query;
  const keep = keepParam(view);
  const zones = [...new Set([zone, useTimeZone(), 'UTC'])].filter(Boolean);
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [first = '', last = '', chosen = zone] = ['from', 'to', 'zone'].map((name) =>
      String(form.get(name)),
    );
    const elsewhere = chosen === zone ? {} : { zone: chosen };
    const days =
      first && last
        ? viewParams(view, { from: first, to: last, ...elsewhere })
        : { ...viewParams(view, elsewhere), from: first, to: last, keep };
    closePanel(event);
    void navigate(adminPaths.reports(days), { preventScrollReset: true });
  }
  return (
    <Form method="get" action={adminPaths.reports()} onSubmit={apply} aria-label="Other dates">
      <input type="hidden" name="tab" value={view.tab} />
      <input type="hidden" name="grouping" value={grouping} />
      {keep && <input type="hidden" name="keep" value={keep} />}
      {view.tables && <input type="hidden" name="as" value="tables" />}
      <TextInput label="Start" name="from" type="date" defaultValue={from} />
      <TextInput label="End" name="to" type="date" defaultValue={to} />
      <Select
        label="Time zone"
        name="zone"
        options={zones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
        defaultValue={zone}
      />
      <Button type="submit">Apply</Button>
    </Form>
  );
}
