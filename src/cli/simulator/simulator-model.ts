import type { Model } from '../../simulator/model.js'
import { ModelError, parseModel } from '../../simulator/model-file.js'
import { SHIPPED_MODELS, shippedModel } from '../../simulator/shipped-models.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readText } from '../input/standard-input.js'

/** The model that an argument names: one that comes with secsctl, or a file. */
export async function modelNamed(stdin: NodeJS.ReadStream, given: string): Promise<Model> {
  try {
    return shippedModel(given) ?? parseModel(await readText(stdin, given, 'the model'), given)
  } catch (error) {
    if (error instanceof ModelError) throw wrongUsage(`${given} is no model:\n${error.message}`)
    if (!(error instanceof Failure)) throw error
    throw new Failure('missing', `there is no model "${given}": ${SHIPPED_MODELS.join(', ')}, or a file`)
  }
}

/** Waits until something listens; `hint` is what to try where it cannot. */
export async function listening<T>(started: Promise<T>, hint: string): Promise<T> {
  try {
    return await started
  } catch (error) {
    const { message } = error as Error
    throw new Failure(
      'state',
      message.startsWith('cannot listen') ? message : `cannot listen: ${message}`,
      hint,
    )
  }
}
