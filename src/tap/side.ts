/** The two ends of a tapped link: the host that the equipment has, and the equipment. */
export type Side = 'host' | 'equipment'

export const otherSide = (side: Side): Side => (side === 'host' ? 'equipment' : 'host')

/** How a side ended: with FIN, or with RST or a failure of the network. */
export type PairEnd = 'closed' | 'broken'
