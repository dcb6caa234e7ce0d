/**
 * What became of a request that a maker filled in one of two runs A and B, in the order in which they are shown. Each such request is in one class.
 *
 * | class | the maker |
 * |---|---|
 * | same | filled it in both, at the same odds |
 * | repriced | filled it in both, at other odds |
 * | won | filled it in B alone |
 * | lost | filled it in A alone |
 * | confirmed | filled it in B; in A it was chosen and did not confirm |
 * | declined | filled it in A; in B it was chosen and did not confirm |
 * | onlyA, onlyB | filled it in the run that alone has the request |
 * | held | had taken the position over in a cash-out, and earned with that |
 */
export const DIFF_CLASSES = ['same', 'repriced', 'won', 'lost', 'confirmed', 'declined', 'onlyA', 'onlyB', 'held'] as const
export type DiffClass = (typeof DIFF_CLASSES)[number]
