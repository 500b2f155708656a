/** An amount of money without the digits that reckoning with fractions leaves behind it: 3.3, not 3.3000000000000003. */
export const amountOf = (money: number): number => Number(money.toPrecision(12));
