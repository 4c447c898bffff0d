import { useState } from 'react';
import { TriangleAlert } from '#ui/glyphs.ts';
import { Field } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { parseRate, rateExample, rateInput, rateText } from '../commission.ts';

/** What a form about a commission rate starts with. */
export interface CommissionStart {
  /** the rate on record */
  rate: number | null;
  defaultRate: number;
  /** what was typed when the server refused it */
  typed?: string | undefined;
  error?: string | undefined;
}

/** The state of a commission rate that is being typed. */
export function useCommission({ rate, defaultRate, typed, error }: CommissionStart) {
  const [text, setText] = useState(typed ?? rateInput(rate));
  const [touched, setTouched] = useState(false);
  const parsed = parseRate(text);
  const shown = parsed.ok ? parsed.rate : rate;
  return {
    text,
    setText,
    leave: () => setTouched(true),
    reset: () => {
      setText(rateInput(rate));
      setTouched(false);
    },
    /** something else than what is on record has been typed */
    changed: text.trim() !== rateInput(rate),
    error: touched || text === typed ? (parsed.ok ? undefined : parsed.error) : error,
    example: rateExample(shown, defaultRate),
  };
}

export type Commission = ReturnType<typeof useCommission>;

interface FieldsProps extends CommissionStart {
  sellerId: string;
  commission: Commission;
  /** the buttons beside the field */
  children?: React.ReactNode;
}

/** The field of a commission rate with what it means for a sale. */
export function CommissionFields({ sellerId, commission, rate, defaultRate, children }: FieldsProps) {
  return (
    <>
      <input type="hidden" name="id" value={sellerId} />
      <input type="hidden" name="seen" value={rateInput(rate)} />
      <Field
        label="Commission rate"
        hint={`The seller's share, 0 to 100. Now ${rateText(rate, defaultRate)}; leave it empty for the default.`}
        error={commission.error}
      >
        {(control) => (
          <div className="rate-box">
            <div className="affix">
              <input
                {...control}
                className="input"
                name="rate"
                inputMode="decimal"
                autoComplete="off"
                placeholder={String(defaultRate)}
                value={commission.text}
                onChange={(event) => commission.setText(event.currentTarget.value)}
                onBlur={commission.leave}
              />
              <span className="trail" aria-hidden="true">
                %
              </span>
            </div>
            {children}
          </div>
        )}
      </Field>
      <CommissionExample {...commission.example} />
    </>
  );
}

function CommissionExample({ share, seller, platform, warning }: Commission['example']) {
  return (
    <div className="rate-example">
      <div className="rate-bar" role="img" aria-label={`Seller ${share} percent`}>
        <i style={{ width: `${share}%` }} />
      </div>
      <p>
        Seller receives <b>{seller}</b>, platform keeps <b>{platform}</b> of a $100,000 sale
      </p>
      <p className="rate-warning" role="status">
        {warning && (
          <>
            <Icon of={TriangleAlert} size={16} />
            {warning}
          </>
        )}
      </p>
    </div>
  );
}
