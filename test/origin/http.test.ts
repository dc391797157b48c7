import { httpContract } from '../contract/http/suite.ts'
import { originTarget } from '../helpers/origin-target.ts'

httpContract('origin, embedded', () => originTarget())
