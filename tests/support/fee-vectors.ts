/** Percentage fees that pin the rounding; put to the TypeScript rule and to the SQL function alike (B-034). */
export const roundingVectors: [baseCents: number, percent: number, expected: number][] = [
  [100, 0.5, 1],
  [99, 0.5, 0],
  [100_000_00, 1.5, 1_500_00],
  [33_333_33, 2.375, 791_67],
  [1, 100, 1],
  [99_999_999_999, 99.999, 99_998_999_999],
  [12_345_67, 0.001, 12],
  [50, 1, 1],
  [49, 1, 0],
];
