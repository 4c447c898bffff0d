import './tours.css';
import { Form } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { Select } from '#ui/select.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { TourHours } from '../model.ts';
import { dayLabel, minuteLabel } from '../wall-clock.ts';
import { timeOptions } from './time-options.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const starts = timeOptions(0, 1410);
const ends = timeOptions(30, 1440);

interface FormProps {
  hours: TourHours;
  /** the refused form, with what was typed */
  answer: ActionData | undefined;
  /** a suspended seller changes nothing */
  readOnly: boolean;
}

/** The hours of a week, one span a weekday. */
export function WeekForm({ hours, answer, readOnly }: FormProps) {
  const busy = usePendingForm('save-week') !== null;
  const refused = answer?.ok === false && answer.intent === 'save-week' ? answer : undefined;
  const saved = new Map(hours.week.map((span) => [span.weekday, span]));
  const shownOf = (name: string, stored: number | undefined) =>
    refused?.input?.[name] ?? (stored === undefined ? '' : String(stored));
  return (
    <Panel title="Weekly hours" inset>
      <Form method="post" className="grid gap-5" noValidate preventScrollReset>
        <IntentField is="save-week" />
        <p className="hint">
          Buyers can ask for a tour at a full or half hour within these hours. They hold for all your
          properties, by the clock of the place of each.
        </p>
        <div className="tour-week">
          {WEEKDAYS.map((name, weekday) => {
            const error = refused?.errors?.[`day${weekday}`];
            const id = `tour-day${weekday}-error`;
            const problem = error ? { 'aria-invalid': true, 'aria-describedby': id } : {};
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of a grid everywhere
              <div key={name} role="group" aria-label={name} className="tour-span">
                <span className="flabel">{name}</span>
                <SelectControl
                  aria-label={`${name} from`}
                  name={`from${weekday}`}
                  placeholder="No tours"
                  options={starts}
                  defaultValue={shownOf(`from${weekday}`, saved.get(weekday)?.starts)}
                  disabled={readOnly}
                  {...problem}
                />
                <SelectControl
                  aria-label={`${name} to`}
                  name={`to${weekday}`}
                  placeholder="–"
                  options={ends}
                  defaultValue={shownOf(`to${weekday}`, saved.get(weekday)?.ends)}
                  disabled={readOnly}
                  {...problem}
                />
                {error && <FieldError id={id}>{error}</FieldError>}
              </div>
            );
          })}
        </div>
        <Button type="submit" className="justify-self-start" busy={busy} disabled={readOnly}>
          Save weekly hours
        </Button>
      </Form>
    </Panel>
  );
}

/** Days that differ from the week. */
export function DayForms({ hours, answer, readOnly }: FormProps) {
  const busy = usePendingForm('save-day') !== null;
  const removing = usePendingForm('remove-day')?.get('day');
  const refused = answer?.ok === false && answer.intent === 'save-day' ? answer : undefined;
  return (
    <Panel title="Other days">
      {hours.days.length > 0 && (
        <ul>
          {hours.days.map(({ day, hours: span }) => (
            <li key={day} className="tour-row">
              <p className="tour-main">
                {dayLabel(day)}:{' '}
                {span ? `${minuteLabel(span.starts)} to ${minuteLabel(span.ends)}` : 'No tours'}
              </p>
              <Form method="post" preventScrollReset>
                <IntentField is="remove-day" />
                <input type="hidden" name="day" value={day} />
                <Button
                  type="submit"
                  variant="outline"
                  size="sm"
                  busy={removing === day}
                  disabled={readOnly}
                  aria-label={`Remove ${dayLabel(day)}`}
                >
                  Remove
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <div className="panel-in">
        <Form method="post" className="grid gap-5" noValidate preventScrollReset key={hours.days.length}>
          <IntentField is="save-day" />
          <p className="hint">A day off, or a day with other hours than its weekday.</p>
          <TextInput
            label="Day"
            name="day"
            type="date"
            required
            defaultValue={refused?.input?.day ?? ''}
            error={refused?.errors?.day}
            disabled={readOnly}
          />
          <Select
            label="From"
            name="from"
            placeholder="No tours"
            options={starts}
            defaultValue={refused?.input?.from ?? ''}
            error={refused?.errors?.hours}
            disabled={readOnly}
          />
          <Select
            label="To"
            name="to"
            placeholder="–"
            options={ends}
            defaultValue={refused?.input?.to ?? ''}
            disabled={readOnly}
          />
          <Button type="submit" className="justify-self-start" busy={busy} disabled={readOnly}>
            Save this day
          </Button>
        </Form>
      </div>
    </Panel>
  );
}
