import { TestModeMark } from '#features/sales/components/test-mode-mark.tsx';

interface Props {
  address: string;
  testMode: boolean;
}

/** The property of a payout in the lists, with the mode of its payment where that is not the usual one. */
export const PayoutProperty = ({ address, testMode }: Props) => (
  <>
    {address}
    <TestModeMark testMode={testMode} />
  </>
);
