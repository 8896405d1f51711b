-- Receivers that get one delivery at a time, in the order of the events.
ALTER TABLE receivers ADD COLUMN ordered INTEGER NOT NULL DEFAULT 0;
