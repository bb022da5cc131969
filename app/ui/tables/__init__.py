"""Tables of panels: columns with units and one prefix each, sorted, filtered, copied as text or CSV."""
