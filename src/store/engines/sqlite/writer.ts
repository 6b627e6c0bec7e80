/** The worker thread that writes to the embedded store. */
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { startWriting } from './writing.ts'

if (parentPort !== null) startWriting(String(workerData), parentPort)
// This thread keeps its own compiled code, and may be killed at any time.
flushCompileCache()
