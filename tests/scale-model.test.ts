import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arrivalsPerQuery,
  costOf,
  demandOf,
  revisionQueriesPerRequest,
  simulateDay,
  sizeFor,
  type CostModel,
} from '../bench/scale/model.ts';

const model: CostModel<'load' | 'search' | 'layers'> = {
  operations: new Map([
    [
      'load',
      {
        server_ms: 0.1,
        database_ms: 0.2,
        busy_ms: 0.5,
        latency_ms: 1,
        bytes: 1000,
        questions: 1,
      },
    ],
    [
      'search',
      {
        server_ms: 0.5,
        database_ms: 10,
        busy_ms: 12,
        latency_ms: 17,
        bytes: 4000,
        questions: 1,
      },
    ],
    [
      'layers',
      { server_ms: 1, database_ms: 1, busy_ms: 1, latency_ms: 1, bytes: 100, questions: 0 },
    ],
  ]),
  question: { server_ms: 0.1, database_ms: 0.05, busy_ms: 0.1, latency_ms: 0.5 },
  idle: { server_ms: 10, database_ms: 5 },
};

describe('the cost model of a load', () => {
  test('adds up the costs and the resources of its requests', () => {
    const mix = { load: 0.75, search: 0.25 };
    expect(costOf(model, mix, 0).server_ms).toBeCloseTo(0.2 + 0.1);
    const demand = demandOf(model, mix, 1000);
    expect(demand.server_cores).toBeCloseTo(0.3);
    expect(demand.database_cores).toBeCloseTo(2.7);
    expect(demand.busy_connections).toBeCloseTo(3.475);
    expect(demand.bytes_per_second).toBeCloseTo(1_750_000);
  });

  test('divides the cost of a revision query among concurrent requests, and only among those that need it', () => {
    expect(revisionQueriesPerRequest(0)).toBe(1);
    expect(revisionQueriesPerRequest(20)).toBeCloseTo(1 / 20);
    expect(costOf(model, { load: 1 }, 20).server_ms).toBeCloseTo(0.1 + 0.1 / 20);
    expect(costOf(model, { layers: 1 }, 0).server_ms).toBeCloseTo(1);
    expect(arrivalsPerQuery(model, { load: 1 }, 8)).toBeCloseTo(4);
    expect(arrivalsPerQuery(model, { load: 0.5, search: 0.5 }, 18)).toBeCloseTo(1);
  });

  test('assigns at most one query to a request, and less with more concurrent requests', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), (arriving) => {
        const one = revisionQueriesPerRequest(arriving);
        expect(one).toBeLessThanOrEqual(1);
        expect(revisionQueriesPerRequest(arriving + 1)).toBeLessThan(one);
      }),
    );
  });

  test('distributes all requests of a day over its hours', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (requests) => {
        const { hours, peak, bytes } = simulateDay(model, { load: 0.5, search: 0.5 }, requests);
        const total = hours.reduce((sum, hour) => sum + hour.requests_per_second * 3600, 0);
        expect(total / requests).toBeCloseTo(1);
        expect(bytes / requests).toBeCloseTo(2500);
        expect(Math.max(...hours.map((hour) => hour.database_cores))).toBe(peak.database_cores);
      }),
    );
  });

  test('returns at least three processes, and respects the maximum utilization', () => {
    const how = { busy: 0.61, connections_each: 13 };
    expect(sizeFor(model, demandOf(model, { load: 1 }, 1), how).processes).toBe(3);
    expect(sizeFor(model, demandOf(model, { load: 1 }, 100_000), how)).toEqual({
      processes: 67,
      database_cores: 83,
      connections: 871,
    });
  });
});
