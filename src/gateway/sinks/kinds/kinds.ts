import type { SinkKindName, SinkTarget } from '../../../contract/topics/sinks/targets.js'
import { FILE } from './file.js'
import { KAFKA } from './kafka/kafka.js'
import type { SinkKind } from './kind.js'
import { MQTT } from './mqtt/mqtt.js'
import { SPARKPLUG } from './mqtt/sparkplug.js'
import { WEBHOOK } from './webhook.js'

/**
 * Every kind of sink. A further one is a module here, its target in the contract (`topics/sinks/targets.ts`), and
 * its flags in the command line (`src/cli/sinks/target-flags.ts`); a protocol with a default port has a row in
 * `target-rules.ts`.
 */
export const KINDS: { readonly [Kind in SinkKindName]: SinkKind<SinkTarget<Kind>> } = {
  webhook: WEBHOOK,
  mqtt: MQTT,
  sparkplug: SPARKPLUG,
  kafka: KAFKA,
  file: FILE,
}
