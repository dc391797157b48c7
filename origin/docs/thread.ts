import { parentPort } from 'node:worker_threads'
import { renderDocs } from './render.ts'

parentPort?.postMessage(renderDocs())
