import type { SinkKindName } from '../../../contract/topics/sinks/sink.js'
import { file } from './file.js'
import { kafka } from './kafka/kafka.js'
import type { SinkKind } from './kind.js'
import { mqtt } from './mqtt/mqtt.js'
import { sparkplug } from './mqtt/sparkplug.js'
import { webhook } from './webhook.js'

/** Every kind of sink. A further one is a module with its target in the contract, and a line here. */
export const KINDS: Readonly<Record<SinkKindName, SinkKind>> = {
  webhook: webhook(),
  mqtt,
  sparkplug,
  kafka: kafka(),
  file,
}
