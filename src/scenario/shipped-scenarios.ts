import gem from './shipped/gem.yaml'
import load from './shipped/load.yaml'
import recovery from './shipped/recovery.yaml'
import spool from './shipped/spool.yaml'

const TEXTS: ReadonlyMap<string, string> = new Map(Object.entries({ gem, recovery, spool, load }))

/** The scenarios that come with secsctl, by name. */
export const SHIPPED_SCENARIOS: readonly string[] = [...TEXTS.keys()]

/** The file of a scenario that comes with secsctl; undefined when there is none of this name. */
export const shippedScenario = (name: string): string | undefined => TEXTS.get(name)
