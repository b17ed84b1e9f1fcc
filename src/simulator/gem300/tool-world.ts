import type { Gem300View } from '../../gem300/variants.js'
import type { Clock } from '../../kit/clock.js'
import type { Schedule } from '../../kit/schedule.js'
import type { Faults } from '../faults.js'
import type { Notice } from './notice.js'
import type { ToolSettings } from './tool-settings.js'

/** What the parts of a tool have in common. */
export interface ToolWorld {
  readonly settings: ToolSettings
  readonly view: Gem300View
  readonly clock: Clock
  readonly schedule: Schedule
  readonly faults: Faults
  readonly seed: number
  /** The recipes that there are. */
  readonly recipes: () => readonly string[]
  readonly note: (notice: Notice) => void
  /** Something has changed: what follows from it is done before anything else. */
  readonly settle: () => void
}
