/** The records of the features. None of their rows refers to another feature. */
import { deviceRecord } from './device/record.ts'

export const featureRecords = [deviceRecord] as const
