import gem from './shipped/gem.yaml'

const TEXTS: ReadonlyMap<string, string> = new Map([['gem', gem]])

/** The scenarios that come with secsctl, by name. */
export const SHIPPED_SCENARIOS: readonly string[] = [...TEXTS.keys()]

/** The file of a scenario that comes with secsctl; undefined when there is none of this name. */
export const shippedScenario = (name: string): string | undefined => TEXTS.get(name)
